// Inputs that the program refuses.

/** A fault of an input; its message is for the user. */
export class Fault extends Error {}

/** A command line that is not valid. */
export class UsageError extends Error {}

/** Does something, and says where a fault is that it finds. */
export function at<T> (place: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw error instanceof Fault ? new Fault(`${place}: ${error.message}`) : error
  }
}
