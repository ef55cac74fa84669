import type { SettingsView } from "../../../gateway/src/http/console/contract.ts";
import { Card } from "../../parts/card.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { TextField } from "../../parts/field.tsx";
import { day } from "../../parts/format.ts";
import { Facts } from "../usage/facts.tsx";
import type { Changing } from "./use-change.ts";

type NameCardProps = {
  readonly settings: SettingsView;
  readonly name: Changing<string>;
  readonly problem: string | undefined;
};

export function NameCard({ settings, name, problem }: NameCardProps) {
  return (
    <Card title="Organization">
      <div className="form">
        <TextField
          label="Name"
          value={name.value}
          maxLength={100}
          required
          autoComplete="off"
          problem={problem}
          onChange={(event) => name.choose(event.target.value)}
        />
        <Facts
          facts={[
            [
              "Short name",
              <span key="slug" className="id-cell">
                <code translate="no">{settings.slug}</code>
                <CopyButton text={settings.slug} what="short name" />
              </span>,
            ],
            ["Created", day(settings.createdAt)],
          ]}
        />
      </div>
    </Card>
  );
}
