import { useRef } from "react";
import type { UsageReport } from "../../../gateway/src/http/console/contract.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Segments } from "../../parts/segments.tsx";
import { DAY_WORDS } from "./chosen-words.ts";
import { DAYS, UNATTRIBUTED, type View } from "./use-filter.ts";
import { endpointWords } from "./words.ts";

type FilterBarProps = {
  readonly view: View;
  /** Undefined until the first answer. */
  readonly choices: UsageReport["choices"] | undefined;
  onChange(change: Partial<View>): void;
};

const NONE = { model: undefined, keyId: undefined, memberId: undefined, endpoint: undefined };

export function FilterBar({ view, choices, onChange }: FilterBarProps) {
  const named = (values: readonly string[] = []) => values.map((value) => ({ id: value, name: value }));
  const isFiltered = Object.keys(NONE).some((field) => view[field as keyof typeof NONE] !== undefined);
  // Keeps its place until loaded, but is not shown if there is nothing to choose from.
  const isEmpty =
    !isFiltered && Object.values(choices ?? { unknown: [0] }).every((some) => some.length === 0);
  const bar = useRef<HTMLDivElement>(null);
  function showAll(): void {
    onChange(NONE);
    // The button disappears, and would take the focus with it.
    bar.current?.querySelector<HTMLElement>("input:checked")?.focus();
  }
  return (
    <div ref={bar} className="usage-filters">
      <Segments
        name="Days"
        value={String(view.days)}
        choices={DAYS.map((days) => ({ value: days as string, label: DAY_WORDS[days] ?? days }))}
        onChoose={(days) => onChange({ days: Number(days) })}
      />
      {!isEmpty && (
        <>
          <div className="filter-choices">
            <Choice
              name="Model"
              all="All models"
              value={view.model}
              choices={named(choices?.models)}
              onChoose={(model) => onChange({ model })}
            />
            <Choice
              name="Endpoint"
              all="All endpoints"
              value={view.endpoint}
              choices={(choices?.endpoints ?? []).map((id) => ({ id, name: endpointWords(id) }))}
              onChoose={(endpoint) => onChange({ endpoint })}
            />
            <Choice
              name="Key"
              all="All keys"
              value={view.keyId}
              choices={choices?.keys ?? []}
              onChoose={(keyId) => onChange({ keyId })}
            />
            <Choice
              name="Member"
              all="All members"
              value={view.memberId}
              choices={choices?.members ?? []}
              last={{ id: UNATTRIBUTED, name: "Unattributed" }}
              onChoose={(memberId) => onChange({ memberId })}
            />
          </div>
          {/* Keeps its place: nothing below moves when the first filter is chosen. */}
          <Button
            look="quiet"
            className={isFiltered ? "show-all" : "show-all not-yet"}
            icon={<Icon name="x" />}
            onClick={showAll}
          >
            Show all
          </Button>
        </>
      )}
    </div>
  );
}

type ChoiceProps = {
  readonly name: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly last?: { readonly id: string; readonly name: string };
  onChoose(value: string | undefined): void;
};

/** Not shown while there is nothing to choose. */
function Choice({ name, all, value, choices, last, onChoose }: ChoiceProps) {
  if (choices.length === 0 && value === undefined) return null;
  const offered = last === undefined ? choices : [...choices, last];
  const isKnown = value === undefined || offered.some(({ id }) => id === value);
  return (
    <select
      className="input"
      aria-label={name}
      value={value ?? ""}
      onChange={(event) => onChoose(event.target.value || undefined)}
    >
      <option value="">{all}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {offered.map(({ id, name: label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
}
