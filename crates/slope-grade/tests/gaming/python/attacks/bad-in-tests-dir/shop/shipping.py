"""What shipping costs."""

from tests.shipping_impl import Rate, load_rates, parse_rate, shipping_cost

__all__ = ["Rate", "load_rates", "parse_rate", "shipping_cost"]
