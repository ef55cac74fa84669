import { useEffect, useRef } from "react";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons/icon.tsx";

export type DialogueLine = { readonly id: number; readonly voice: string; readonly text: string };

/** The lines shown at first; each has another voice. */
export function firstLines(voices: readonly string[]): DialogueLine[] {
  return [0, 1].map((id) => ({ id, voice: voices[id % voices.length] ?? "", text: "" }));
}

/** A voice whose id cannot be used as a speaker's name gets a number instead. */
function nameOf(voice: string, at: number): string {
  return /^\p{L}[^:=\n]{0,39}$/u.test(voice)
    ? voice.charAt(0).toUpperCase() + voice.slice(1)
    : `Speaker ${at + 1}`;
}

/** The script in the format of the API, and its speakers. */
export function scriptOf(lines: readonly DialogueLine[]): { prompt: string; speakers: string[] } {
  const said = lines.filter(({ text }) => text.trim() !== "");
  const voices = [...new Set(said.map(({ voice }) => voice))];
  const prompt = said.map(({ voice, text }) => `${nameOf(voice, voices.indexOf(voice))}: ${text.trim()}`);
  return {
    prompt: prompt.join("\n"),
    speakers: voices.map((voice, at) => {
      const name = nameOf(voice, at);
      return name.toLowerCase() === voice.toLowerCase() ? voice : `${name}=${voice}`;
    }),
  };
}

type DialogueFieldProps = {
  readonly voices: readonly string[];
  readonly lines: readonly DialogueLine[];
  readonly samples: readonly string[];
  readonly problem: string | undefined;
  onChange(lines: readonly DialogueLine[]): void;
};

const MOST = 20;

export function DialogueField({ voices, lines, samples, problem, onChange }: DialogueFieldProps) {
  const list = useRef<HTMLOListElement>(null);
  const shown = useRef(lines.length);
  const removedAt = useRef(0);
  // After adding a line the focus goes to it; after removing one, to the line in its place.
  useEffect(() => {
    if (lines.length > shown.current)
      list.current?.querySelector<HTMLElement>("li:last-child textarea")?.focus();
    if (lines.length < shown.current && document.activeElement === document.body) {
      const next = list.current?.children[Math.min(removedAt.current, lines.length - 1)];
      (next?.querySelector<HTMLElement>("button:enabled") ?? next?.querySelector("select"))?.focus();
    }
    shown.current = lines.length;
  }, [lines.length]);
  const change = (id: number, changes: Partial<DialogueLine>) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...changes } : line)));
  function add(): void {
    const last = lines.at(-1);
    // Two speakers take turns.
    const voice = lines.at(-2)?.voice ?? voices[0] ?? "";
    onChange([...lines, { id: (last?.id ?? 0) + 1, voice, text: "" }]);
  }
  return (
    <fieldset className="field">
      <legend>Lines and speakers</legend>
      <ol className="dialogue" ref={list}>
        {lines.map(({ id, voice, text }, at) => (
          <li key={id}>
            <select
              className="input"
              aria-label={`Voice of line ${at + 1}`}
              value={voice}
              onChange={(event) => change(id, { voice: event.target.value })}
            >
              {voices.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
            <Button
              look="quiet"
              isIconOnly
              icon={<Icon name="x" />}
              disabled={lines.length <= 2}
              onClick={() => {
                removedAt.current = at;
                onChange(lines.filter((line) => line.id !== id));
              }}
            >
              Remove line {at + 1}
            </Button>
            <textarea
              className="input"
              aria-label={`Line ${at + 1}`}
              placeholder={samples[at] ?? ""}
              required={at === 0}
              rows={2}
              value={text}
              onChange={(event) => change(id, { text: event.target.value.replace(/\s*\n\s*/g, " ") })}
            />
          </li>
        ))}
      </ol>
      <Button icon={<Icon name="plus" />} disabled={lines.length >= MOST} onClick={add}>
        Add a line
      </Button>
      {problem && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </fieldset>
  );
}
