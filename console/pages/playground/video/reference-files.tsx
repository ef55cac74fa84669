import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../parts/button.tsx";
import { bytes } from "../../../parts/format.ts";
import { Icon, type IconName } from "../../../parts/icons/icon.tsx";
import {
  type ReferenceFile,
  type ReferenceKind,
  type References,
  readReference,
  tooLarge,
} from "../reference-file.ts";

type KindWords = { readonly label: string; readonly icon: IconName; readonly accept: string };

/** Listed one by one, so that a phone converts its own photo format to one of these. */
const KINDS: Readonly<Record<ReferenceKind, KindWords>> = {
  image: { label: "Image", icon: "image", accept: "image/png,image/jpeg,image/webp,image/gif,image/avif" },
  video: { label: "Video", icon: "clapperboard", accept: "video/mp4,video/webm" },
  audio: {
    label: "Sound",
    icon: "audio-lines",
    accept: "audio/mpeg,audio/wav,audio/ogg,audio/flac,audio/mp4,.mp3,.wav,.ogg,.flac,.m4a",
  },
};

type ReferenceFilesProps = {
  /** The kinds that the model accepts. */
  readonly kinds: readonly ReferenceKind[];
  readonly files: References;
  onChange(files: References): void;
};

/** Files to start from, one of each kind. */
export function ReferenceFiles({ kinds, files, onChange }: ReferenceFilesProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const changed = useRef<ReferenceKind | null>(null);
  // The pressed control was replaced by the one that undoes it: move the focus there.
  useEffect(() => {
    const kind = changed.current;
    changed.current = null;
    if (kind === null || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[data-kind=${kind}] :is(input, button)`)?.focus();
  });
  function change(kind: ReferenceKind, next: References): void {
    changed.current = kind;
    onChange(next);
  }
  async function add(kind: ReferenceKind, file: File): Promise<void> {
    const { [kind]: _, ...others } = files;
    const refusal = tooLarge(file, others);
    setProblem(refusal);
    if (refusal !== null) return;
    try {
      change(kind, { ...others, [kind]: await readReference(file) });
    } catch {
      setProblem(`${file.name} could not be read.`);
    }
  }
  return (
    <fieldset className="field" aria-describedby={problem === null ? undefined : id}>
      <legend>Start from a file</legend>
      <ul className="references" ref={list}>
        {kinds.map((kind) => {
          const file = files[kind];
          const { [kind]: _, ...others } = files;
          return (
            <li key={kind} data-kind={kind} className={file ? "chosen" : undefined}>
              {file ? (
                <Chosen kind={kind} file={file} onRemove={() => change(kind, others)} />
              ) : (
                <Choose kind={kind} onChoose={(given) => void add(kind, given)} />
              )}
            </li>
          );
        })}
      </ul>
      {problem !== null && (
        <span className="problem" role="alert" id={id}>
          {problem}
        </span>
      )}
    </fieldset>
  );
}

function Choose({ kind, onChoose }: { kind: ReferenceKind; onChoose(file: File): void }) {
  const { label, icon, accept } = KINDS[kind];
  return (
    <label className="button secondary">
      <Icon name={icon} />
      {label}
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        aria-label={`${label} to start from`}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onChoose(file);
        }}
      />
    </label>
  );
}

function Chosen({ kind, file, onRemove }: { kind: ReferenceKind; file: ReferenceFile; onRemove(): void }) {
  const { label, icon } = KINDS[kind];
  return (
    <>
      {kind === "image" ? <img src={file.data} alt="" /> : <Icon name={icon} />}
      <span className="named">
        <span dir="auto" className="clip" title={file.name}>
          {file.name}
        </span>
        <span className="dim small">
          {label}, {bytes(file.sizeBytes)}
        </span>
      </span>
      <Button look="quiet" isIconOnly icon={<Icon name="x" />} onClick={onRemove}>
        Remove {file.name}
      </Button>
    </>
  );
}
