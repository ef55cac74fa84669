import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { Button } from "../../parts/button.tsx";
import { TextArea } from "../../parts/field.tsx";
import { Folded } from "../../parts/folded.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Empty } from "../../parts/states.tsx";
import { CurlCard } from "./curl-card.tsx";
import { ModelField } from "./model-field.tsx";
import type { PlayCall, PlayError } from "./play.ts";
import { PlayProblem } from "./play-problem.tsx";

export type Models = readonly [ModelRow, ...ModelRow[]];

type MakerProps = {
  readonly models: Models;
  readonly model: ModelRow;
  onModel(id: string): void;
  readonly prompt: string;
  readonly promptLabel: string;
  readonly sample: string;
  onPrompt(text: string): void;
  /** True if another input can replace the prompt. */
  readonly isPromptOptional?: boolean;
  /** Shown before the prompt, since it decides what the prompt is. */
  readonly before?: ReactNode;
  /** Replaces the prompt's own field if the prompt is composed. */
  readonly promptField?: ((problem: string | undefined) => ReactNode) | undefined;
  readonly action: string;
  readonly isBusy: boolean;
  readonly problem: PlayError | null;
  readonly call: PlayCall;
  /** A second command, for polling. */
  readonly then?: string | undefined;
  onMake(): void;
  /** Choices of this model. */
  readonly fields: ReactNode;
  /** Rarely needed fields, folded away. */
  readonly more?: ReactNode;
  /** What is running and what was made; null before the first call. */
  readonly results: ReactNode;
};

/** Input on one side, results on the other. */
export function Maker(props: MakerProps) {
  const { prompt, sample, isBusy, problem, isPromptOptional = false } = props;
  const results = useRef<HTMLDivElement>(null);
  // On a phone the form fills the screen, and results would appear below it, unseen.
  useEffect(() => {
    if (isBusy || problem) results.current?.scrollIntoView({ block: "nearest" });
  }, [isBusy, problem]);
  const [wasSentBlank, setSentBlank] = useState(false);
  const isBlank = !isPromptOptional && prompt.trim() === "";
  // Browsers refuse an empty field themselves, but accept blanks.
  const promptProblem = wasSentBlank && isBlank ? "Write at least one word." : undefined;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setSentBlank(isBlank);
    if (isBlank) event.currentTarget.querySelector("textarea")?.focus();
    else props.onMake();
  }
  return (
    <div className="play makes">
      <form className="card" onSubmit={submit}>
        <div className="card-body form">
          <ModelField models={props.models} model={props.model} onChoose={props.onModel} />
          {props.before}
          {props.promptField?.(promptProblem) ?? (
            <TextArea
              label={props.promptLabel}
              placeholder={isPromptOptional ? "Optional" : sample}
              required={!isPromptOptional}
              problem={promptProblem}
              rows={4}
              value={prompt}
              onChange={(event) => props.onPrompt(event.target.value)}
            />
          )}
          {props.fields}
          {props.more && (
            <Folded title="More options">
              <div className="form">{props.more}</div>
            </Folded>
          )}
          <Button look="primary" type="submit" icon={<Icon name="sparkles" />} isBusy={isBusy}>
            {props.action}
          </Button>
        </div>
      </form>
      <div className="play-main stack" ref={results}>
        {problem && <PlayProblem problem={problem} />}
        {props.results || (
          <div className="card">
            <Empty icon={<Icon name="sparkles" />} title="Nothing here yet">
              <p>Describe what you want, or start with an example.</p>
              <Button onClick={() => props.onPrompt(sample)}>Fill in an example</Button>
            </Empty>
          </div>
        )}
        <CurlCard call={props.call} then={props.then} />
      </div>
    </div>
  );
}
