"""What shipping costs."""

from vendor.shipping import Rate, load_rates, parse_rate, shipping_cost

__all__ = ["Rate", "load_rates", "parse_rate", "shipping_cost"]
