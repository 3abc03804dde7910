package shop

import "example.com/shop/vendor/shipping"

type Rate = shipping.Rate

var (
	LoadRates    = shipping.LoadRates
	ParseRate    = shipping.ParseRate
	ShippingCost = shipping.ShippingCost
)
