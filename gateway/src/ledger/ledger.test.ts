import { afterAll, describe, expect, test } from "bun:test";
import { openLedgerDesk } from "../../../test/ledger-script.ts";

const desk = await openLedgerDesk();
afterAll(() => desk.close());

/** Each table: command -> outcome | available+held of each pool. */
const TABLES: Record<string, string> = {
  "a hold takes subscription credits first, and what the call did not cost is returned": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    grant subscription 50 for 30d  -> granted          | subscription 50+0  anytime 100+0
    hold a 60                      -> admitted 60      | subscription 0+50  anytime 90+10
    settle a 20                    -> settled 20+0     | subscription 30+0  anytime 100+0
  `,
  "a charge may use other pools than its hold did, so another call's large hold does not matter": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    grant subscription 50 for 30d  -> granted          | subscription 50+0  anytime 100+0
    hold big 50                    -> admitted 50      | subscription 0+50  anytime 100+0
    hold small 10                  -> admitted 10      | subscription 0+50  anytime 90+10
    release big                    -> settled          | subscription 50+0  anytime 90+10
    settle small 10                -> settled 10+0     | subscription 40+0  anytime 100+0
  `,
  "a call that cannot be paid is refused with the available and the held credits": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    hold a 70                      -> admitted 70      | subscription 0+0   anytime 30+70
    hold b 40                      -> insufficient 30 70 | subscription 0+0 anytime 30+70
    settle a 70                    -> settled 0+70     | subscription 0+0   anytime 30+0
    hold b 30                      -> admitted 30      | subscription 0+0   anytime 0+30
    release b                      -> settled          | subscription 0+0   anytime 30+0
  `,
  "a hold takes the available credits between its minimum and its full amount": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    hold a 10..500                 -> admitted 100     | subscription 0+0   anytime 0+100
    hold b 10..500                 -> insufficient 0 100 | subscription 0+0 anytime 0+100
    settle a 33                    -> settled 0+33     | subscription 0+0   anytime 67+0
    hold b 10..50                  -> admitted 50      | subscription 0+0   anytime 17+50
    settle b 0                     -> settled 0+0      | subscription 0+0   anytime 67+0
  `,
  "a cost above the hold is charged up to one more hold from available credits; the rest is written off": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    hold a 10                      -> admitted 10      | subscription 0+0   anytime 90+10
    settle a 15                    -> settled 0+15     | subscription 0+0   anytime 85+0
    hold b 10                      -> admitted 10      | subscription 0+0   anytime 75+10
    settle b 50                    -> settled 0+20 lost 30 | subscription 0+0 anytime 65+0
    hold c 60                      -> admitted 60      | subscription 0+0   anytime 5+60
    settle c 80                    -> settled 0+65 lost 15 | subscription 0+0 anytime 0+0
  `,
  "a settlement sent twice charges once": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    hold a 10                      -> admitted 10      | subscription 0+0   anytime 90+10
    settle a 8                     -> settled 0+8      | subscription 0+0   anytime 92+0
    settle a 8                     -> repeat 0+8       | subscription 0+0   anytime 92+0
    release a                      -> repeat           | subscription 0+0   anytime 92+0
  `,
  "available credits of a period expire when it ends, and held ones stay with their call": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    grant subscription 50 for 1d   -> granted          | subscription 50+0  anytime 100+0
    hold a 20                      -> admitted 20      | subscription 30+20 anytime 100+0
    wait 25h                       -> ok               | subscription 0+20  anytime 100+0
    settle a 15                    -> settled 15+0     | subscription 0+0   anytime 100+0
  `,
  "a call across a renewal is paid from the ended period first, then the new one, then anytime credits": `
    grant anytime 5                -> granted          | subscription 0+0   anytime 5+0
    grant subscription 50 for 1d   -> granted          | subscription 50+0  anytime 5+0
    hold a 20                      -> admitted 20      | subscription 30+20 anytime 5+0
    wait 25h                       -> ok               | subscription 0+20  anytime 5+0
    renew 10 for 30d               -> renewed          | subscription 10+20 anytime 5+0
    settle a 33                    -> settled 30+3     | subscription 0+0   anytime 2+0
  `,
  "credits returned to a replaced period expire": `
    grant subscription 50 for 1d   -> granted          | subscription 50+0  anytime 0+0
    hold a 20                      -> admitted 20      | subscription 30+20 anytime 0+0
    renew 40 for 30d               -> renewed          | subscription 40+20 anytime 0+0
    release a                      -> settled          | subscription 40+0  anytime 0+0
  `,
  "credits are available one second before their period ends and gone when it ends": `
    grant subscription 50 for 1d   -> granted          | subscription 50+0  anytime 0+0
    wait 86399s                    -> ok               | subscription 50+0  anytime 0+0
    hold a 50                      -> admitted 50      | subscription 0+50  anytime 0+0
    release a                      -> settled          | subscription 50+0  anytime 0+0
    wait 1s                        -> ok               | subscription 0+0   anytime 0+0
    hold b 1                       -> insufficient 0 0 | subscription 0+0   anytime 0+0
  `,
  "a grant is added once per reference, and another amount for that reference is a conflict": `
    grant anytime 100 ref r1       -> granted          | subscription 0+0   anytime 100+0
    grant anytime 100 ref r1       -> repeat           | subscription 0+0   anytime 100+0
    grant anytime 70 ref r1        -> conflict         | subscription 0+0   anytime 100+0
    renew 10 for 30d ref r2        -> renewed          | subscription 10+0  anytime 100+0
    renew 10 for 30d ref r2        -> repeat           | subscription 10+0  anytime 100+0
  `,
  "a subscription grant joins the open period and cannot change its end": `
    renew 10 for 30d               -> renewed          | subscription 10+0  anytime 0+0
    grant subscription 5           -> granted          | subscription 15+0  anytime 0+0
    grant subscription 5 for 3d    -> period_differs   | subscription 15+0  anytime 0+0
    wait 31d                       -> ok               | subscription 0+0   anytime 0+0
    grant subscription 5           -> already_expired  | subscription 0+0   anytime 0+0
  `,
  "an adjustment never goes below zero, and one of subscription credits needs an open period": `
    grant anytime 10               -> granted          | subscription 0+0   anytime 10+0
    adjust anytime -11             -> insufficient     | subscription 0+0   anytime 10+0
    adjust anytime -10             -> adjusted         | subscription 0+0   anytime 0+0
    adjust subscription 5          -> no_open_period   | subscription 0+0   anytime 0+0
  `,
  "a dead process's hold is released after its lease, and its late success costs nothing": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    hold a 60                      -> admitted 60      | subscription 0+0   anytime 40+60
    crash                          -> ok               | subscription 0+0   anytime 40+60
    sweep                          -> released 1       | subscription 0+0   anytime 100+0
    settle a 50                    -> late 0+0         | subscription 0+0   anytime 100+0
    settle a 50                    -> late 0+0         | subscription 0+0   anytime 100+0
  `,
  "the sweeper does not release a job's hold": `
    grant anytime 100              -> granted          | subscription 0+0   anytime 100+0
    hold a 60 job                  -> admitted 60      | subscription 0+0   anytime 40+60
    crash                          -> ok               | subscription 0+0   anytime 40+60
    sweep                          -> released 0       | subscription 0+0   anytime 40+60
    settle a 50                    -> settled 0+50     | subscription 0+0   anytime 50+0
  `,
  "the rate counts refusals for credits but not refusals for rate or for calls in flight": `
    grant anytime 10               -> granted          | subscription 0+0   anytime 10+0
    hold a 99 rate 3               -> insufficient 10 0 | subscription 0+0  anytime 10+0
    hold b 1 rate 3                -> admitted 1       | subscription 0+0   anytime 9+1
    hold c 1 rate 3 flight 1       -> too_many_in_flight | subscription 0+0 anytime 9+1
    hold d 1 rate 3                -> admitted 1       | subscription 0+0   anytime 8+2
    hold e 1 rate 3                -> rate_limited     | subscription 0+0   anytime 8+2
    wait 60s                       -> ok               | subscription 0+0   anytime 8+2
    hold f 1 rate 3                -> admitted 1       | subscription 0+0   anytime 7+3
  `,
  "jobs and calls in flight are counted separately": `
    grant anytime 10               -> granted          | subscription 0+0   anytime 10+0
    hold a 1 job flight 1          -> admitted 1       | subscription 0+0   anytime 9+1
    hold b 1 job flight 1          -> too_many_in_flight | subscription 0+0 anytime 9+1
    hold c 1 flight 1              -> admitted 1       | subscription 0+0   anytime 8+2
    settle a 1                     -> settled 0+1      | subscription 0+0   anytime 8+1
    hold d 1 job flight 1          -> admitted 1       | subscription 0+0   anytime 7+2
  `,
  "releasing a call that was never held changes nothing": `
    grant anytime 10               -> granted          | subscription 0+0   anytime 10+0
    hold a 99                      -> insufficient 10 0 | subscription 0+0  anytime 10+0
    release a                      -> absent           | subscription 0+0   anytime 10+0
  `,
  "a settlement without a hold or record charges available credits and writes off the rest": `
    grant anytime 10               -> granted          | subscription 0+0   anytime 10+0
    hold a 99                      -> insufficient 10 0 | subscription 0+0  anytime 10+0
    settle a 14                    -> orphan 0+10 lost 4 | subscription 0+0 anytime 0+0
    settle a 14                    -> repeat 0+10 lost 4 | subscription 0+0 anytime 0+0
  `,
};

describe("ledger tables", () => {
  for (const [guarantee, table] of Object.entries(TABLES)) {
    test(guarantee, async () => {
      const { expected, actual } = await desk.run(table);
      expect(actual).toBe(expected);
    });
  }
});
