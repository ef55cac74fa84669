import { Sparkles } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import type { ModelRow } from "../../../src/http/console/contract.ts";
import { Button } from "../../parts/button.tsx";
import { TextArea } from "../../parts/field.tsx";
import { Folded } from "../../parts/folded.tsx";
import { Empty } from "../../parts/states.tsx";
import { CurlCard } from "./curl-card.tsx";
import { ModelField } from "./model-field.tsx";
import type { PlayCall, PlayError } from "./play.ts";
import { PlayProblem } from "./play-problem.tsx";

export type Models = readonly [ModelRow, ...ModelRow[]];

export type MakerProps = {
  readonly models: Models;
  readonly model: ModelRow;
  onModel(id: string): void;
  readonly prompt: string;
  readonly promptLabel: string;
  readonly sample: string;
  onPrompt(text: string): void;
  /** Something else says enough. */
  readonly isPromptOptional?: boolean;
  /** Decides what the prompt is. */
  readonly before?: ReactNode;
  /** Stands where the prompt's own field would, for a prompt that is put together. */
  readonly promptField?: ReactNode;
  readonly action: string;
  readonly isBusy: boolean;
  readonly problem: PlayError | null;
  readonly call: PlayCall;
  /** A second command, for what is asked for again. */
  readonly then?: string | undefined;
  onMake(): void;
  /** The model's own choices. */
  readonly fields: ReactNode;
  /** What few need, folded away. */
  readonly more?: ReactNode;
  /** What runs and what was made; nothing before the first time. */
  readonly results: ReactNode;
};

/** A wish on one side, what came of it on the other. */
export function Maker(props: MakerProps) {
  const { prompt, sample, isBusy, problem, isPromptOptional = false } = props;
  const results = useRef<HTMLDivElement>(null);
  // On a phone the form fills the screen, and what it makes would appear below, unseen.
  useEffect(() => {
    if (isBusy || problem) results.current?.scrollIntoView({ block: "nearest" });
  }, [isBusy, problem]);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isPromptOptional || prompt.trim() !== "") props.onMake();
  }
  return (
    <div className="play makes">
      <form className="card" onSubmit={submit}>
        <div className="card-body form">
          <ModelField models={props.models} model={props.model} onChoose={props.onModel} />
          {props.before}
          {props.promptField || (
            <TextArea
              label={props.promptLabel}
              placeholder={isPromptOptional ? "Optional" : sample}
              required={!isPromptOptional}
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
          <Button look="primary" type="submit" icon={<Sparkles aria-hidden />} isBusy={isBusy}>
            {props.action}
          </Button>
        </div>
      </form>
      <div className="play-main stack" ref={results}>
        {problem && <PlayProblem problem={problem} />}
        {props.results || (
          <div className="card">
            <Empty icon={<Sparkles aria-hidden />} title="Nothing made yet">
              <p>Describe what you want, or begin with an example.</p>
              <Button onClick={() => props.onPrompt(sample)}>Fill in an example</Button>
            </Empty>
          </div>
        )}
        <CurlCard call={props.call} then={props.then} />
      </div>
    </div>
  );
}
