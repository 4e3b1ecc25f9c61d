"""Report: results to tables, JSON and CSV; the only place that prints."""
