/** A test's file and its title as written there, with `%s` and the like; `…` stands for what a template fills in. */
type Proof = readonly [file: string, title: string];

export type AttackRow = { readonly attack: string; readonly proofs: readonly Proof[] };

export type AttackGroup = { readonly name: string; readonly rows: readonly AttackRow[] };

export function row(attack: string, ...proofs: Proof[]): AttackRow {
  return { attack, proofs };
}
