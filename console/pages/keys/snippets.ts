import type { FirstCall } from "./first-call.ts";

type Snippet = { readonly id: string; readonly label: string; readonly text: string };

type SnippetOptions = { readonly publicUrl: string; readonly secret: string; readonly call: FirstCall };

/** The first call, ready to paste: with the key and this gateway's URL. A chat call is shown in four ways. */
export function snippetsFor({ publicUrl, secret, call }: SnippetOptions): readonly Snippet[] {
  if (call.kind === "chat") return chatSnippets(publicUrl, secret, call.model);
  const curl = `curl ${publicUrl}/functions/v1/api-v1-${call.kind} \\
  -H "Authorization: Bearer ${secret}"`;
  if (call.kind === "models") return [{ id: "curl", label: "curl", text: curl }];
  const text = `${curl} \\
  -H "Content-Type: application/json" \\
  -d '{"model":"${call.model}","prompt":"${PROMPTS[call.kind]}"}'`;
  return [{ id: "curl", label: "curl", text }];
}

const PROMPTS = { images: "A lighthouse at dawn", audio: "Hello from Bursar." } as const;

function chatSnippets(publicUrl: string, secret: string, model: string): readonly Snippet[] {
  const baseUrl = `${publicUrl}/v1`;
  return [
    {
      id: "curl",
      label: "curl",
      text: `curl ${publicUrl}/functions/v1/api-v1-chat \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"${model}","messages":[{"role":"user","content":"What is 6 times 7?"}]}'`,
    },
    {
      id: "python",
      label: "Python",
      text: `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${secret}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "What is 6 times 7?"}],
)
print(answer.choices[0].message.content)`,
    },
    {
      id: "node",
      label: "Node",
      text: `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: "${secret}" });
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "What is 6 times 7?" }],
});
console.log(answer.choices[0].message.content);`,
    },
    {
      id: "ai-sdk",
      label: "AI SDK",
      text: `// npm install ai @ai-sdk/openai-compatible
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const bursar = createOpenAICompatible({
  name: "bursar",
  baseURL: "${baseUrl}",
  apiKey: "${secret}",
});
const { text } = await generateText({ model: bursar("${model}"), prompt: "What is 6 times 7?" });
console.log(text);`,
    },
  ];
}
