import { useState } from "react";
import { TextField } from "../../parts/field.tsx";
import { MadeCard, MakingCard } from "./made-card.tsx";
import { Maker, type Models } from "./maker.tsx";
import { ChoiceField } from "./model-field.tsx";
import type { PlayCall } from "./play.ts";
import type { ImageReply } from "./replies.ts";
import { type Made, useMaker } from "./use-maker.ts";
import { oneOf, useModel } from "./use-model.ts";

const TIER_WORDS: Readonly<Record<string, string>> = {
  "1k": "Small, 1k",
  "2k": "Medium, 2k",
  "4k": "Large, 4k",
};
const SAMPLE = "A lighthouse on a cliff at dusk, seen from the sea";

export function ImagePanel({ models }: { models: Models }) {
  const { model, choose } = useModel(models);
  const [prompt, setPrompt] = useState("");
  const [wantedRatio, setRatio] = useState("1:1");
  const [wantedTier, setTier] = useState("1k");
  const [without, setWithout] = useState("");
  const { made, running, problem, make } = useMaker<ImageReply>();
  const { aspectRatios, tiers } = model.choices;
  const ratio = oneOf(aspectRatios, wantedRatio, "1:1");
  const tier = oneOf(tiers, wantedTier, "1k");
  const takesNegative = model.capabilities.includes("negative_prompt");
  const call: PlayCall = {
    endpoint: "api-v1-images",
    body: {
      model: model.id,
      prompt: prompt || SAMPLE,
      ...(ratio === "" ? {} : { aspect_ratio: ratio }),
      ...(tier === "" ? {} : { resolution_tier: tier }),
      ...(takesNegative && without.trim() ? { negative_prompt: without } : {}),
    },
  };
  return (
    <Maker
      models={models}
      model={model}
      onModel={choose}
      prompt={prompt}
      promptLabel="What the image should show"
      sample={SAMPLE}
      onPrompt={setPrompt}
      action="Create the image"
      isBusy={running !== null}
      problem={problem}
      call={call}
      onMake={() => void make(call)}
      fields={
        <>
          <div className="grid-2 pair">
            <ChoiceField label="Shape" known={aspectRatios} value={ratio} onChoose={setRatio} />
            <ChoiceField
              label="Size"
              known={tiers}
              words={(one) => TIER_WORDS[one] ?? one}
              value={tier}
              onChoose={setTier}
            />
          </div>
          {takesNegative && (
            <TextField
              label="Leave out"
              placeholder="People, text"
              value={without}
              onChange={(event) => setWithout(event.target.value)}
            />
          )}
        </>
      }
      results={imageResults(made, running)}
    />
  );
}

/** Null before the first call. */
function imageResults(made: readonly Made<ImageReply>[], running: PlayCall | null) {
  if (!running && made.length === 0) return null;
  return (
    <>
      {running && <MakingCard words="Drawing…" ratio={ratioOf(running)} />}
      {made.map(({ id, call, reply }) => (
        <MadeCard
          key={id}
          prompt={String(call.body["prompt"])}
          url={reply.image_url}
          payment={reply}
          requestId={reply.request_id}
        >
          <img
            className="shown"
            src={reply.image_url}
            alt={String(call.body["prompt"])}
            style={{ aspectRatio: ratioOf(call).replace(":", " / ") }}
          />
        </MadeCard>
      ))}
    </>
  );
}

function ratioOf({ body }: PlayCall): string {
  return String(body["aspect_ratio"] ?? "1:1");
}
