import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;

export type CopyProps = {
  readonly text: string;
  readonly what: string;
  /** By whatever way. */
  onCopied?(): void;
};

export function CopyButton({ text, what, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      look="quiet"
      isIconOnly
      className="copy"
      icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      onClick={(event) =>
        void copy(text, event.currentTarget).then((isDone) => {
          setCopied(isDone);
          if (isDone) onCopied?.();
        })
      }
    >
      {isCopied ? `${what} copied` : `Copy ${what}`}
    </Button>
  );
}

/**
 * Browsers keep their clipboard from pages on plain http, except on this machine, and from whoever said no to it; the old
 * way still works there.
 */
async function copy(text: string, beside: HTMLElement): Promise<boolean> {
  const isWritten = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isWritten) return true;
  const area = document.createElement("textarea");
  area.value = text;
  // Beside the button: a modal dialog lets nothing outside of it be selected.
  beside.after(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  beside.focus();
  return isCopied;
}

/** Something to paste elsewhere. */
export function Code({ text, what, onCopied }: CopyProps) {
  return (
    <div className="code">
      <pre tabIndex={0} onCopy={onCopied}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} onCopied={onCopied} />
    </div>
  );
}
