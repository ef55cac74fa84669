/** A node that sweeps once, as a process that can die in the middle: BURSAR_FAILPOINTS says where. */
import { connectDatabase } from "../../gateway/src/db/index.ts";
import { armFailpointsFromText } from "../../gateway/src/kit/index.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { startSweepingNode } from "./sweeping-node.ts";

armFailpointsFromText(process.env["BURSAR_FAILPOINTS"] ?? "");
const db = connectDatabase({ url: process.env["DATABASE_URL"] ?? "", poolSize: 2, log: silentLog });
const node = await startSweepingNode({ db, advanceClock: async () => {} });
await node.sweepAfterALease();
process.exit(0);
