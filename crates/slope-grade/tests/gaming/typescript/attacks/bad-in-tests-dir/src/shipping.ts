export { type Rate, loadRates, parseRate, shippingCost } from "./../tests/support.js";
