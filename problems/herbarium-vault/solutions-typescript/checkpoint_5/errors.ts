// The two ways in which a command can fail.

/** A command that is valid but cannot be done; the message is for the user. */
export class Refused extends Error {}

/** Words that are not a valid command. */
export class NotUnderstood extends Error {}
