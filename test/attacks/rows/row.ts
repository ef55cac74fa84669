/** A test by its name as it is written in its file, `%s` and all; what a template fills in is `…`. */
type Proof = readonly [file: string, title: string];

export type AttackRow = { readonly attack: string; readonly proofs: readonly Proof[] };

export type AttackGroup = { readonly name: string; readonly rows: readonly AttackRow[] };

export function row(attack: string, ...proofs: Proof[]): AttackRow {
  return { attack, proofs };
}
