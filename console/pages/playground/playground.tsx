import { type ComponentType, useMemo, useState } from "react";
import { Link } from "wouter";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { ChatPanel } from "./chat/chat.tsx";
import { pollCurlOf } from "./curl.ts";
import { ImagePanel } from "./image.tsx";
import { KINDS, type Kind, kindOf, makes } from "./kinds.ts";
import { Maker, type Models } from "./maker.tsx";
import { MusicPanel } from "./music.tsx";
import { SpeechPanel } from "./speech.tsx";
import { useModel } from "./use-model.ts";
import { useVideo } from "./video/use-video.ts";
import { NO_CHOICES, needsPrompt, SAMPLE, type VideoChoices, videoCallOf } from "./video/video-call.ts";
import { VideoCard } from "./video/video-card.tsx";
import { seedField, VideoFields } from "./video/video-fields.tsx";

function VideoPanel({ models }: { models: Models }) {
  const { service } = useSigned();
  const { model, choose } = useModel(models);
  const [choices, setChoices] = useState<VideoChoices>(NO_CHOICES);
  const { videos, isSending, problem, make, watch } = useVideo();
  const change = (changes: Partial<VideoChoices>) => setChoices((before) => ({ ...before, ...changes }));
  const call = videoCallOf(model, choices);
  const fields = { model, choices, onChange: change };
  return (
    <Maker
      models={models}
      model={model}
      onModel={choose}
      prompt={choices.prompt}
      isPromptOptional={!needsPrompt(model, choices)}
      promptLabel="What the video should show"
      sample={SAMPLE}
      onPrompt={(prompt) => change({ prompt })}
      action="Create the video"
      isBusy={isSending}
      problem={problem}
      call={call}
      then={pollCurlOf(service.publicUrl, videos[0]?.taken.request_id ?? "REQUEST_ID")}
      onMake={() => void make(call)}
      fields={<VideoFields {...fields} />}
      more={seedField(fields)}
      results={
        videos.length > 0 &&
        videos.map((video) => <VideoCard key={video.id} video={video} onWatch={() => void watch(video)} />)
      }
    />
  );
}

const PANELS: Readonly<Record<Kind, ComponentType<{ models: Models }>>> = {
  chat: ChatPanel,
  image: ImagePanel,
  speech: SpeechPanel,
  music: MusicPanel,
  video: VideoPanel,
};

/** `kind` is taken from the URL. */
export function PlaygroundPage({ kind: said }: { kind: string | undefined }) {
  const kind = kindOf(said);
  const models = useAsk("model.list", {});
  return (
    <Page
      title="Playground"
      tab={KINDS.find((one) => one.kind === kind)?.label}
      about="Try any model you can call. A call here costs the same as one from your program."
    >
      <nav className="tabs" aria-label="What to create">
        {KINDS.map(({ kind: one, label, icon }) => (
          <Link key={one} href={`/playground/${one}`} aria-current={one === kind ? "page" : undefined}>
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </nav>
      <Answer of={models} waiting={<Skeleton height={480} />}>
        {({ models: known }) => <Panels kind={kind} models={known} />}
      </Answer>
    </Page>
  );
}

/** An opened panel stays mounted, hidden: visiting another must not end a conversation. */
function Panels({ kind, models }: { kind: Kind; models: readonly ModelRow[] }) {
  const [opened, setOpened] = useState<ReadonlySet<Kind>>(new Set([kind]));
  if (!opened.has(kind)) setOpened(new Set([...opened, kind]));
  return KINDS.filter(({ kind: one }) => opened.has(one)).map(({ kind: one }) => (
    <div key={one} hidden={one !== kind}>
      <Panel kind={one} models={models} />
    </div>
  ));
}

/** If all models are switched off, the last ones are kept, so that results and running calls stay. */
function Panel({ kind, models }: { kind: Kind; models: readonly ModelRow[] }) {
  const on = useMemo(() => models.filter((model) => model.isOn && makes(model, kind)), [models, kind]);
  const [last, setLast] = useState(on);
  if (on.length > 0 && on !== last) setLast(on);
  const [first, ...rest] = on.length > 0 ? on : last;
  const Opened = PANELS[kind];
  return (
    <>
      {on.length === 0 && <NoModel />}
      {first && <Opened models={[first, ...rest]} />}
    </>
  );
}

function NoModel() {
  const { administers } = useSigned();
  return (
    <div className="card">
      <Empty icon={<Icon name="sparkles" />} title="No model for this">
        <p>
          {administers
            ? "None is switched on in your organization."
            : "None is switched on. Owners and admins of your organization can change that."}
        </p>
        <Link href="/models" className="button secondary">
          See the models
        </Link>
      </Empty>
    </div>
  );
}
