import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { USAGE } from "../upstream/chat-wire.ts";
import { SCRIPTED_VALUE } from "../upstream/scripted-answer.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../upstream/scripted-upstream.ts";
import { type Access, type Ask, CLIENTS, type Client, type ClientTool } from "./clients/index.ts";
import { scriptedSettings } from "./scripted-settings.ts";

/** The same conversations with three providers, whose answers are neutral or passed through on the caller's wire. */
const BACKENDS = [
  {
    name: "the sandbox",
    model: "svc-code",
    call: sandboxCall,
  },
  { name: "an upstream of chat completions", model: "scripted", call: scriptedCall },
  { name: "an upstream of both wires", model: "scripted-both", call: scriptedCall },
] as const;

function sandboxCall(name: string, input: object): string {
  return `[sandbox:call=${name} ${JSON.stringify(input)}]`;
}

function scriptedCall(name: string, input: object): string {
  return `<<${name} ${JSON.stringify(input)}>>`;
}

const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** The usage that the scripted upstream reports for each turn. */
const REPORTED = [USAGE.prompt_tokens, USAGE.completion_tokens];
const VALUE = z.object({ city: z.string(), people: z.int() });

let upstream: ScriptedUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
let access: Access;
beforeAll(async () => {
  upstream = startScriptedUpstream();
  settings = writeSettings(scriptedSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000_000 });
  access = { origin: gateway.origin, key: own.key };
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

/** A client's two ways to ask. A stream must deliver the text as it arrives, and the same text in the end. */
const FORMS = [
  { form: "in one piece", answer: (client: Client, ask: Ask) => client.ask(access, ask) },
  {
    form: "streamed",
    async answer(client: Client, ask: Ask) {
      const pieces: string[] = [];
      const answer = await client.stream(access, ask, (text) => pieces.push(text));
      if (ask.schema === undefined) {
        expect(pieces.join("")).toBe(answer.text);
        expect(pieces.length).toBeGreaterThan(1);
      }
      return answer;
    },
  },
];

/** A tool that records its input. */
function toolNamed(name: string, told: unknown[]): ClientTool {
  return {
    name,
    parameters: z.object({ city: z.string() }),
    run(input) {
      told.push({ [name]: input });
      return `${name} of ${input["city"]} is fine`;
    },
  };
}

for (const client of CLIENTS) {
  for (const { form, answer } of FORMS) {
    for (const { name, model, call } of BACKENDS) {
      describe(`${client.name}, ${form}, with ${name}`, () => {
        test("gets the text and the usage that was reported", async () => {
          const { text, inputTokens, outputTokens } = await answer(client, {
            model,
            prompt: "What is 6 times 7?",
          });
          expect(text).toContain("42");
          if (model !== "svc-code") expect([inputTokens, outputTokens]).toEqual(REPORTED);
          expect(Math.min(inputTokens, outputTokens)).toBeGreaterThan(0);
        });

        test("calls a tool and gets an answer with its result", async () => {
          const told: unknown[] = [];
          const prompt = `What about Paris? ${call("weather", { city: "Paris" })}`;
          const { text } = await answer(client, { model, prompt, tools: [toolNamed("weather", told)] });
          expect(told).toEqual([{ weather: { city: "Paris" } }]);
          expect(text).toContain("weather of Paris is fine");
        });

        test("calls two tools in parallel", async () => {
          const told: unknown[] = [];
          const tools = [toolNamed("weather", told), toolNamed("traffic", told)];
          const prompt = `${call("weather", { city: "Rome" })} ${call("traffic", { city: "Oslo" })}`;
          const { text } = await answer(client, { model, prompt, tools });
          expect(told).toEqual([{ weather: { city: "Rome" } }, { traffic: { city: "Oslo" } }]);
          expect(text).toContain("weather of Rome is fine");
          expect(text).toContain("traffic of Oslo is fine");
        });

        test("gets a value that matches its schema", async () => {
          const { value } = await answer(client, { model, prompt: "Where?", schema: VALUE });
          expect(VALUE.safeParse(value).error).toBeUndefined();
          if (model !== "svc-code") expect(value).toEqual(SCRIPTED_VALUE);
        });

        test("sends an image", async () => {
          const { text } = await answer(client, { model, prompt: "hello", imageUrl: PICTURE });
          expect(text).toMatch(/I see a picture|Received: an image/);
        });
      });
    }
  }
}

describe("reasoning that a provider signed", () => {
  for (const client of CLIENTS) {
    test.each(FORMS)(
      `returns to the provider with a tool's result through ${client.name}, $form`,
      async ({ answer }) => {
        const told: unknown[] = [];
        const prompt = `[sandbox:reasoning=signed] ${sandboxCall("weather", { city: "Paris" })}`;
        const tools = [toolNamed("weather", told)];
        const { text } = await answer(client, { model: "svc-code", prompt, tools });
        expect(told).toHaveLength(1);
        expect(text).toEndWith("Its signed reasoning came back.");
      },
    );
  }
});
