import type { Label } from "./calls/origin.ts";
import { chooseMarkedForm, type Draft, type Form, readMarks } from "./form.ts";
import type { References } from "./references/references.ts";
import { writePage } from "./text/page-writer.ts";
import type { Page } from "./text/pieces.ts";
import type { Replacement } from "./text/replacement.ts";
import type { TokenCount } from "./tokens/known-counts.ts";

type Said = { readonly text: string; readonly label: Label; readonly count: TokenCount };

/** Assistant text: only exact repetitions are replaced, by references. */
export function assistantForm({ text, label, count }: Said, references: References): Form {
  const said = readMarks(text, "model", count);
  const page = references.open(said.escaped, "model");
  if (page === null) return chooseMarkedForm(said, []);
  const replacements = references.find(page, false);
  const form = chooseMarkedForm(said, replacements.length === 0 ? [] : [draftOf(page, replacements)]);
  references.close(page, { label, text: form.text, replacements: form.replacements, whole: null });
  return form;
}

function draftOf(page: Page, replacements: readonly Replacement[]): Draft {
  const text = writePage({ page, replacements, thinsGutters: false, actions: new Set() });
  return { text, replacements, actions: ["block_references"] };
}
