/** A reason for which a command is refused. */
export class Refusal extends Error {}
