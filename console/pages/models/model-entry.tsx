import { useState } from "react";
import { Link } from "wouter";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { useSay } from "../../toasts.tsx";

const PROVIDERS: Readonly<Record<string, string>> = {
  sandbox: "Sandbox: test mode",
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  openrouter: "OpenRouter",
  groq: "Groq",
  mistral: "Mistral",
  deepseek: "DeepSeek",
  xai: "xAI",
  together: "Together",
  fal: "fal",
  replicate: "Replicate",
  elevenlabs: "ElevenLabs",
};

/** A provider added by an operator keeps its own name. */
function providerWords(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

const CAPABILITIES: Readonly<Record<string, string>> = {
  tools: "Tools",
  images: "Sees images",
  files: "Reads files",
  reasoning: "Reasoning",
  structured_output: "Structured output",
  logprobs: "Log probabilities",
};

function capabilityWords(capability: string): string {
  const words = capability.replaceAll("_", " ");
  return CAPABILITIES[capability] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

type SwitchProps = {
  /** Accessible name. */
  readonly name: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  onSwitch(isOn: boolean): void;
};

function Switch({ name, isOn, isDisabled = false, onSwitch }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={name}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onSwitch(!isOn)}
    />
  );
}

const SANDBOX = "sandbox";

export function ModelEntry({ row }: { row: ModelRow }) {
  const { administers } = useSigned();
  return (
    <article className={row.isOn ? "model" : "model off"} aria-label={row.name}>
      <div className="model-name">
        <h3>{row.name}</h3>
        <span className="id-cell model-id">
          <code translate="no">{row.id}</code>
          <CopyButton text={row.id} what={`id of ${row.name}`} />
        </span>
        {row.description && <p className="small">{row.description}</p>}
      </div>
      <div className="model-terms">
        <p className="model-price">{row.price}</p>
        <ul className="model-limits">
          {row.limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
        {row.isOn && (
          <Link href={`/playground/${playKind(row)}?model=${encodeURIComponent(row.id)}`} className="small">
            Try {row.name}
          </Link>
        )}
      </div>
      <div className="model-switch">
        {administers ? <OnOff row={row} /> : !row.isOn && <Badge>Off</Badge>}
      </div>
      <div className="row model-badges">
        <Badge look={row.provider === SANDBOX ? "warn" : "info"}>{providerWords(row.provider)}</Badge>
        {row.aliases.map((alias) => (
          <Badge key={alias} look="good">
            {alias}
          </Badge>
        ))}
        {row.capabilities.map((capability) => (
          <Badge key={capability}>{capabilityWords(capability)}</Badge>
        ))}
      </div>
    </article>
  );
}

/** The playground page for this model. */
function playKind({ type, choices }: ModelRow): string {
  if (type === "text") return "chat";
  return type === "audio" ? (choices.audioKind ?? "speech") : type;
}

/** Shows the wanted state at once; the gateway's answer decides. */
function OnOff({ row }: { row: ModelRow }) {
  const say = useSay();
  const turn = useCommand("model.switch", ["model.list"]);
  const [wanted, setWanted] = useState<boolean | null>(null);
  return (
    <span className="row">
      {!row.isOn && <Badge>Off</Badge>}
      <Switch
        name={`${row.name} can be called`}
        isOn={wanted ?? row.isOn}
        isDisabled={turn.isPending}
        onSwitch={(isOn) => {
          setWanted(isOn);
          turn.mutate(
            { id: row.id, isOn },
            {
              onSuccess: () => say(isOn ? `${row.name} can be called again.` : `${row.name} is off.`),
              onError: ({ message }) => say(message),
              onSettled: () => setWanted(null),
            },
          );
        }}
      />
    </span>
  );
}
