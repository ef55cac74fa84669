import type { Database } from "../../gateway/src/db/index.ts";
import { assert, present } from "../../gateway/src/kit/index.ts";
import type { CallTally } from "./callers.ts";
import { loadBalances } from "./exact-books.ts";
import type { ScaleOrganization } from "./make-organizations.ts";

/** Asserts that balances have lost exactly what the replies reported as charged, and that nothing is held. */
export async function requireSpent(
  db: Database,
  organizations: readonly ScaleOrganization[],
  tallies: readonly CallTally[],
  granted: number,
): Promise<void> {
  const balances = await loadBalances(
    db,
    organizations.map(({ id }) => id),
  );
  for (const { id } of organizations) {
    const { available, held } = present(balances.get(id), "a balance");
    const told = tallies.reduce((sum, tally) => sum + (tally.chargedBy.get(id) ?? 0), 0);
    assert(held === 0, `${held} credits of ${id} are held with no call running`);
    assert(granted - available === told, `${id} paid ${granted - available} and was told ${told}`);
  }
}
