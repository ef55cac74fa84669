import { useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icons/icon.tsx";

const SHOWN_MS = 2_000;

type CopyProps = {
  readonly text: string;
  readonly what: string;
  /** Called however it was copied. */
  onCopied?(): void;
};

export function CopyButton({ text, what, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  function done() {
    setCopied(true);
    onCopied?.();
  }
  return (
    <>
      <Button
        look="quiet"
        isIconOnly
        className="copy"
        icon={isCopied ? <Icon name="check" /> : <Icon name="copy" />}
        onClick={(event) =>
          void copy(text, event.currentTarget).then((isDone) => (isDone ? done() : setRefused(true)))
        }
      >
        {isCopied ? `${what} copied` : `Copy ${what}`}
      </Button>
      {isRefused && <ByHand text={text} onCopied={done} onClose={() => setRefused(false)} />}
    </>
  );
}

type ByHandProps = { readonly text: string; onCopied(): void; onClose(): void };

/** If the browser lets no page copy, its own shortcut still works. */
function ByHand({ text, onCopied, onClose }: ByHandProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.showPopover();
    box.current?.querySelector("textarea")?.select();
  }, []);
  return (
    <div
      ref={box}
      popover="auto"
      className="by-hand"
      onToggle={({ newState }) => newState === "closed" && onClose()}
    >
      <label className="field">
        <span>Your browser did not allow that. Copy the selected text with Ctrl+C or a long press.</span>
        <textarea
          className="input"
          readOnly
          rows={3}
          value={text}
          onCopy={() => {
            onCopied();
            // Deferred: a hidden text could not be copied.
            setTimeout(() => box.current?.hidePopover());
          }}
        />
      </label>
    </div>
  );
}

/**
 * Browsers deny the clipboard to pages on plain http, except on localhost, or if the user refused; the old way works.
 */
async function copy(text: string, beside: HTMLElement): Promise<boolean> {
  const isWritten = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isWritten) return true;
  const area = document.createElement("textarea");
  area.value = text;
  // Beside the button: nothing outside of a modal dialog can be selected.
  beside.after(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  beside.focus();
  return isCopied;
}

/** A code block with a copy button. */
export function Code({ text, what, onCopied }: CopyProps) {
  return (
    <div className="code">
      <pre tabIndex={0} onCopy={onCopied}>
        <code translate="no">{text}</code>
      </pre>
      <CopyButton text={text} what={what} onCopied={onCopied} />
    </div>
  );
}
