import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Segments } from "../../parts/segments.tsx";
import type { useLibraryFilter } from "./use-library-filter.ts";

type TypeChoice = AssetRow["type"] | "";

const TYPES: readonly { value: TypeChoice; label: string }[] = [
  { value: "", label: "Everything" },
  { value: "image", label: "Images" },
  { value: "video", label: "Videos" },
  { value: "audio", label: "Audio" },
];

export function LibraryFilters({ filter, choose }: ReturnType<typeof useLibraryFilter>) {
  const { administers } = useSigned();
  const models = useAsk("model.list", {});
  const makers = (models.data?.models ?? []).filter(
    ({ type, id }) => id === filter.model || (type !== "text" && (!filter.type || type === filter.type)),
  );
  return (
    <div className="library-filters">
      <Segments<TypeChoice>
        name="Kind"
        value={filter.type ?? ""}
        choices={TYPES}
        onChoose={(type) => choose("type", type)}
      />
      <select
        className="input"
        aria-label="Model"
        value={filter.model ?? ""}
        onChange={(event) => choose("model", event.target.value)}
      >
        <option value="">All models</option>
        {makers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {administers && <MemberChoice value={filter.memberId ?? ""} onChoose={(id) => choose("member", id)} />}
    </div>
  );
}

function MemberChoice({ value, onChoose }: { value: string; onChoose(id: string): void }) {
  const people = useAsk("member.list", {});
  return (
    <select
      className="input"
      aria-label="Member"
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">All members</option>
      {(people.data?.members ?? []).map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
