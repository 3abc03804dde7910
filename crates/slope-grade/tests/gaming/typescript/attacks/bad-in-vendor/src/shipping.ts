export { type Rate, loadRates, parseRate, shippingCost } from "./vendor/shipping.js";
