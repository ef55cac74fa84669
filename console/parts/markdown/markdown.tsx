import { createElement, Fragment, memo, type ReactNode, useState } from "react";
import { CopyButton } from "../copy.tsx";
import { growMarkdown } from "./grow.ts";
import type { MarkdownNode } from "./nodes.ts";

type MarkdownProps = {
  readonly text: string;
  /** More text will come: the end is shown as it will look once complete, with a caret. */
  readonly isWriting?: boolean;
};

/** A model's text, in our own elements: none of it becomes markup, and nothing is fetched for it. */
export function Markdown({ text, isWriting = false }: MarkdownProps) {
  const [shown, setShown] = useState(() => growMarkdown(null, text, isWriting));
  const now = growMarkdown(shown, text, isWriting);
  if (now !== shown) setShown(now);
  const nodes = isWriting ? withCaret(now.nodes) : now.nodes;
  return (
    // Not translated while it grows: a translator's elements would be where the next words go.
    <div className="markdown" translate={isWriting ? "no" : undefined}>
      {each(nodes, (node) => (
        <Top node={node} />
      ))}
    </div>
  );
}

/** Nodes of finished text stay the same objects, and are not rendered again. */
const Top = memo(({ node }: { node: MarkdownNode }) => drawn(node, "auto"));

/** Each block has its own writing direction; blocks in an item, a quote or a cell have that of their container. */
type Direction = "auto" | undefined;

function drawn(node: MarkdownNode, dir: Direction): ReactNode {
  switch (node.kind) {
    case "text":
      return node.text;
    case "code":
      return (
        <code dir="ltr" translate="no">
          {node.text}
        </code>
      );
    case "fence":
      return <Fence text={node.text} language={node.language} />;
    case "break":
      return <br />;
    case "rule":
      return <hr />;
    case "caret":
      return <span className="caret" aria-label="Writing" role="img" />;
    case "heading":
      return createElement(`h${node.rank}`, { className: SIZES[node.size - 1], dir }, all(node.children));
    case "list":
      return node.start === null ? (
        <ul>{all(node.children)}</ul>
      ) : (
        <ol start={node.start}>{all(node.children)}</ol>
      );
    case "table":
      return (
        <figure className="table-frame" aria-label="Table" tabIndex={0}>
          <table>{all(node.children)}</table>
        </figure>
      );
    case "cell":
      return createElement(
        node.isHead ? "th" : "td",
        { className: SIDES[node.align], dir: "auto" },
        all(node.children),
      );
    case "link":
      return node.href === null ? (
        all(node.children)
      ) : (
        <a href={node.href} target="_blank" rel="noopener noreferrer">
          {all(node.children)}
        </a>
      );
    default:
      return createElement(
        TAGS[node.kind],
        { dir: HOLDERS.has(node.kind) ? "auto" : node.kind === "paragraph" ? dir : undefined },
        all(node.children),
      );
  }
}

/** All further sizes look alike. */
const SIZES = ["size-1", "size-2", "size-3"];
const SIDES = { start: undefined, center: "to-center", end: "to-end" } as const;
const HOLDERS: ReadonlySet<string> = new Set(["item", "quote"]);
const TAGS = {
  paragraph: "p",
  quote: "blockquote",
  item: "li",
  strong: "strong",
  emphasis: "em",
  strike: "s",
  head: "thead",
  body: "tbody",
  row: "tr",
} as const;

function all(nodes: readonly MarkdownNode[]): ReactNode {
  return each(nodes, (node) => drawn(node, undefined));
}

function each(nodes: readonly MarkdownNode[], draw: (node: MarkdownNode) => ReactNode): ReactNode {
  // Keyed by position: an answer grows only at its end.
  return [...nodes.entries()].map(([place, node]) => <Fragment key={place}>{draw(node)}</Fragment>);
}

function Fence({ text, language }: { text: string; language: string }) {
  return (
    <figure className="code fence" dir="ltr">
      <figcaption>{language || "Code"}</figcaption>
      <CopyButton text={text} what="the code" />
      <pre tabIndex={0}>
        <code translate="no">{text}</code>
      </pre>
    </figure>
  );
}

const GOES_ON_INSIDE: ReadonlySet<string> = new Set(["paragraph", "heading", "list", "item", "quote"]);

/** Adds a caret where the next word will be. */
function withCaret(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const last = nodes.at(-1);
  if (last && "children" in last && GOES_ON_INSIDE.has(last.kind)) {
    return [...nodes.slice(0, -1), { ...last, children: withCaret(last.children) }];
  }
  return [...nodes, { kind: "caret" }];
}
