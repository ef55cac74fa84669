import { createOutboundFetch } from "./outbound-fetch.ts";
import { readJson } from "./read-body.ts";
import { chatInit, PATIENT } from "./testing.ts";

/** A separate process, since Bun reads its limit of concurrent requests only at startup. */
const [baseUrl = "", count = "0"] = process.argv.slice(2);
const outbound = createOutboundFetch({ timeouts: PATIENT, maxBodyBytes: 1 << 20, provider: "test" });
const answers = await Promise.all(
  Array.from({ length: Number(count) }, async () =>
    readJson(
      await outbound(`${baseUrl}/chat/completions`, chatInit(`barrier:${count}`, { stream: false })),
      1 << 20,
    ),
  ),
);
process.stdout.write(`${answers.length} answered\n`);
