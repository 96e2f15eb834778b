/** Of questions asked one after another, only the newest one's answer, or error, counts. */
export class Newest {
  private count = 0;

  /** The answer; null where a newer question was asked meanwhile. */
  async of<T>(question: Promise<T>): Promise<T | null> {
    this.count += 1;
    const mine = this.count;
    try {
      const answer = await question;
      return mine === this.count ? answer : null;
    } catch (error) {
      if (mine === this.count) throw error;
      return null;
    }
  }
}
