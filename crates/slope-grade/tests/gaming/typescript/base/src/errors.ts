/** An input that the shop cannot work with. */
export class ShopError extends Error {
  constructor(
    readonly reason: string,
    readonly where: string,
  ) {
    super(`${where}: ${reason}`);
    this.name = "ShopError";
  }
}
