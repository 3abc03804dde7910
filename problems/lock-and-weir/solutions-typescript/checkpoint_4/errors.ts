// Faults for which the user is to blame.

/** A fault of a file or an argument; its message is for the user. */
export class CanalError extends Error {}

/** Does something, and names the line of a fault that it finds. */
export function atLine<T> (line: number, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw error instanceof CanalError ? new CanalError(`line ${line}: ${error.message}`) : error
  }
}
