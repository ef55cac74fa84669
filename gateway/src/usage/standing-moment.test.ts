import { afterAll, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { credits, DAY_MS } from "../kit/index.ts";
import { loadStanding } from "./standing-store.ts";

const books = await openLedgerBooks();
afterAll(() => books.database.drop());

const START = new Date("2031-01-10T10:00:00Z");
const END = new Date(START.getTime() + 30 * DAY_MS);

test("a period has nothing left at the exact moment it ends, even before its expiry is recorded", async () => {
  await books.database.freezeClock(START);
  const orgId = await books.found(0);
  await books.ledger.renew({
    orgId,
    amount: credits(50_000),
    startsAt: START,
    endsAt: END,
    reference: null,
    description: "test",
  });
  const thresholds = { lowBalanceCredits: 1_000, lowBalancePercent: 10 };
  const standing = async () => (await loadStanding(books.db, orgId, thresholds)).standing;
  await books.database.freezeClock(new Date(END.getTime() - 1));
  expect(await standing()).toMatchObject({ subscriptionGranted: 50_000, isLow: false });
  await books.database.freezeClock(END);
  expect(await standing()).toMatchObject({ subscriptionGranted: 0, isLow: true });
});
