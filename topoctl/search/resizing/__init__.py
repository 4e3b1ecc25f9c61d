"""Networks of known structure brought to another order: routers and links come and go."""
