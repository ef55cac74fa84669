import { writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../upstream/scripted-upstream.ts";
import { scriptedSettings } from "./scripted-settings.ts";

/** A gateway whose models are all served by the scripted upstream (`test/upstream/scripted-upstream.ts`). */
export type ScriptedGateway = {
  readonly gateway: TestGateway;
  readonly upstream: ScriptedUpstream;
  close(): Promise<void>;
};

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const upstream = startScriptedUpstream();
  const settings = writeSettings(scriptedSettings(upstream.baseUrl));
  const gateway = await startTestGateway(settings.environment);
  return {
    gateway,
    upstream,
    async close() {
      await gateway.close();
      await upstream.close();
      settings.remove();
    },
  };
}
