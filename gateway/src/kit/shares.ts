/** A limited amount that owners share. Each owner is limited too, so that none can leave the others without. */
export type Shares = {
  /** False if too little is left of the total or of the owner's share; then nothing was taken. */
  take(owner: string, amount: number): boolean;
  giveBack(owner: string, amount: number): void;
  of(owner: string): number;
  readonly taken: number;
};

export function createShares({ all, ofOne }: { readonly all: number; readonly ofOne: number }): Shares {
  let taken = 0;
  const takenBy = new Map<string, number>();
  return {
    take(owner, amount) {
      const own = (takenBy.get(owner) ?? 0) + amount;
      if (own > ofOne || taken + amount > all) return false;
      taken += amount;
      takenBy.set(owner, own);
      return true;
    },
    giveBack(owner, amount) {
      taken -= amount;
      const own = (takenBy.get(owner) ?? 0) - amount;
      if (own > 0) takenBy.set(owner, own);
      else takenBy.delete(owner);
    },
    of: (owner) => takenBy.get(owner) ?? 0,
    get taken() {
      return taken;
    },
  };
}
