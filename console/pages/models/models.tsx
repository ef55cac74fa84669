import { useState } from "react";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Announcement } from "../../parts/announcement.tsx";
import { Card } from "../../parts/card.tsx";
import { counted } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { ModelEntry } from "./model-entry.tsx";

type Type = ModelRow["type"];

const TYPES: readonly { value: Type; label: string }[] = [
  { value: "text", label: "Text" },
  { value: "image", label: "Images" },
  { value: "video", label: "Video" },
  { value: "audio", label: "Audio" },
];

export function ModelsPage() {
  const { administers } = useSigned();
  const models = useAsk("model.list", {});
  const [wanted, setWanted] = useState<Type | "all">("all");
  const [words, setWords] = useState("");
  return (
    <Page
      title="Models"
      about={
        administers
          ? "What your organization can call. Switch off what nobody should use: calls to it are refused at once."
          : "What your organization can call."
      }
    >
      <Answer of={models} waiting={<Waiting />}>
        {({ models: rows }) => {
          const types = TYPES.filter(({ value }) => rows.some(({ type }) => type === value));
          const shown = rows.filter(
            (row) => (wanted === "all" || row.type === wanted) && matches(row, words),
          );
          return (
            <div className="stack models">
              <div className="spread">
                <Segments
                  name="Kind of model"
                  value={wanted}
                  choices={[{ value: "all", label: "All" }, ...types]}
                  onChoose={(next) => setWanted(next)}
                />
                <label className="search-box">
                  <Icon name="search" />
                  <input
                    className="input search"
                    type="search"
                    aria-label="Search models"
                    placeholder="Search models"
                    value={words}
                    onChange={(event) => setWords(event.target.value)}
                  />
                </label>
              </div>
              <Announcement
                question={`${wanted} ${words}`}
                words={shown.length === 0 ? noneFound(rows) : counted(shown.length, "model")}
              />
              {types.map(({ value, label }) => (
                <Group key={value} label={label} rows={shown.filter(({ type }) => type === value)} />
              ))}
              {shown.length === 0 && <NoModels rows={rows} />}
            </div>
          );
        }}
      </Answer>
    </Page>
  );
}

function Group({ label, rows }: { label: string; rows: readonly ModelRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="stack">
      <div className="group-head">
        <h2>{label}</h2>
        <span className="dim small">{counted(rows.length, "model")}</span>
      </div>
      <div className="card model-list">
        {rows.map((row) => (
          <ModelEntry key={row.id} row={row} />
        ))}
      </div>
    </section>
  );
}

/** Every word must occur somewhere in the card. */
function matches({ id, name, provider, description, aliases }: ModelRow, words: string): boolean {
  const text = [id, name, provider, description ?? "", ...aliases].join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function noneFound(rows: readonly ModelRow[]): string {
  return rows.length > 0 ? "No matching model" : "No models yet";
}

function NoModels({ rows }: { rows: readonly ModelRow[] }) {
  return (
    <Card>
      <Empty icon={<Icon name="shapes" />} title={noneFound(rows)}>
        <p>
          {rows.length > 0
            ? "Try another search, or show all kinds."
            : "When the operator of this Bursar adds a provider's key, its models appear here."}
        </p>
      </Empty>
    </Card>
  );
}

function Waiting() {
  return (
    <div className="stack">
      <Skeleton height={38} width={320} />
      {["a", "b", "c"].map((name) => (
        <Skeleton key={name} height={190} />
      ))}
    </div>
  );
}
