"""Results as tables, JSON and CSV; progress and messages. The only place that prints."""
