"""A small stockroom: items, prices, orders and reports."""
