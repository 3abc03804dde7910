/** Lets requests wait for a change of the state. */
export class Changes {
  private readonly waiting = new Set<() => void>()

  /** Looks again at everything that somebody waits for. */
  notify (): void {
    for (const look of [...this.waiting]) look()
  }

  /** Waits until something is true, or some milliseconds have passed. Resolves to whether it is true. */
  async until (holds: () => boolean, ms?: number): Promise<boolean> {
    if (holds() || ms === 0) return holds()
    return await new Promise(resolve => {
      const end = (): void => {
        this.waiting.delete(look)
        clearTimeout(timer)
        resolve(holds())
      }
      const look = (): void => { if (holds()) end() }
      const timer = ms === undefined ? undefined : setTimeout(end, ms)
      this.waiting.add(look)
    })
  }
}

export async function sleep (ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
}
