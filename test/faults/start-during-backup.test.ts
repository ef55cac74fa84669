import { expect, test } from "bun:test";
import { createTestDatabase } from "../../gateway/src/db/testing.ts";
import { startTestGateway } from "../harness.ts";
import { askJson } from "./chat-client.ts";

test("a gateway whose month has no partition starts and charges during a long-running backup", async () => {
  const database = await createTestDatabase();
  const backup = await database.db.connect();
  await backup.query("begin transaction isolation level repeatable read read only");
  await backup.query("select count(*) from requests");
  const gateway = await startTestGateway({}, { database });
  try {
    const of = await gateway.found({ credits: 10 });
    const answer = await askJson({ origin: gateway.origin, of, content: "hello" });
    expect(answer.status).toBe(200);
    expect((await gateway.services.ledger.account(of.id)).anytimeAvailable).toBeLessThan(10);
  } finally {
    await backup.end();
    await gateway.close();
  }
});
