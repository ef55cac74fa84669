/**
 * The ledger as one would explain it on paper: plain arithmetic, no database, no batches. The simulation compares the
 * SQL with it after every round.
 */
type ReferenceHold = { subscription: number; anytime: number; period: number };

type ReferenceSettled = { subscription: number; anytime: number; writtenOff: number };

export class ReferenceLedger {
  subscription = 0;
  anytime = 0;
  debt = 0;
  periodEndsAt: number | null = null;
  private period = 0;
  readonly holds = new Map<string, ReferenceHold>();
  readonly ended = new Map<string, { by: "call" | "sweeper"; settled: ReferenceSettled }>();

  get held(): { subscription: number; anytime: number } {
    let subscription = 0;
    let anytime = 0;
    for (const hold of this.holds.values()) {
      subscription += hold.subscription;
      anytime += hold.anytime;
    }
    return { subscription, anytime };
  }

  expire(now: number): void {
    if (this.periodEndsAt !== null && this.periodEndsAt <= now) {
      this.subscription = 0;
      this.periodEndsAt = null;
    }
  }

  renew(now: number, amount: number, endsAt: number): void {
    this.expire(now);
    this.period++;
    this.periodEndsAt = endsAt;
    this.subscription = amount;
  }

  grantAnytime(amount: number): void {
    this.anytime += amount;
    this.payDebt();
  }

  /**
   * A manual correction: never below zero, and credits that it adds pay off debt. Returns how much debt was paid, or
   * null if nothing was changed.
   */
  adjust(now: number, pool: "subscription" | "anytime", amount: number): number | null {
    this.expire(now);
    if (this[pool] + amount < 0) return null;
    if (pool === "subscription" && this.periodEndsAt === null) return null;
    this[pool] += amount;
    return this.payDebt();
  }

  /** A payment is refunded: what is not available becomes debt, which new credits pay off first. */
  takeBack(amount: number): void {
    this.debt += amount;
    this.payDebt();
  }

  private payDebt(): number {
    const part = Math.min(this.debt, this.anytime);
    this.debt -= part;
    this.anytime -= part;
    return part;
  }

  /** The credits granted, or null if not even the minimum is available. */
  admit(now: number, id: string, minimum: number, full: number): number | null {
    this.expire(now);
    const available = this.subscription + this.anytime;
    if (minimum > available) return null;
    const granted = Math.min(full, available);
    const subscription = Math.min(granted, this.subscription);
    this.subscription -= subscription;
    this.anytime -= granted - subscription;
    this.holds.set(id, { subscription, anytime: granted - subscription, period: this.period });
    return granted;
  }

  settle(now: number, id: string, cost: number, by: "call" | "sweeper"): ReferenceSettled {
    this.expire(now);
    const before = this.ended.get(id);
    if (before) return before.settled;
    const hold = this.holds.get(id);
    if (!hold) throw new Error(`the simulation settled ${id}, which was never held`);
    this.holds.delete(id);
    this.anytime += hold.anytime;
    const stillOpen = this.periodEndsAt !== null && hold.period === this.period;
    const old = stillOpen ? 0 : hold.subscription;
    if (stillOpen) this.subscription += hold.subscription;
    const payable = Math.min(cost, 2 * (hold.subscription + hold.anytime));
    const fromOld = Math.min(payable, old);
    const fromSubscription = Math.min(payable - fromOld, this.subscription);
    const fromAnytime = Math.min(payable - fromOld - fromSubscription, this.anytime);
    this.subscription -= fromSubscription;
    this.anytime -= fromAnytime;
    this.payDebt();
    const settled = {
      subscription: fromOld + fromSubscription,
      anytime: fromAnytime,
      writtenOff: cost - fromOld - fromSubscription - fromAnytime,
    };
    this.ended.set(id, { by, settled });
    return settled;
  }
}
