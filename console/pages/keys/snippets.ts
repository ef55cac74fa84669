type Snippet = { readonly id: string; readonly label: string; readonly text: string };

/** The first call in four ways, ready to paste: with the key in it, at the address of this gateway. */
export function snippetsFor(options: {
  readonly publicUrl: string;
  readonly model: string;
  readonly secret: string;
}): readonly Snippet[] {
  const { publicUrl, model, secret } = options;
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
