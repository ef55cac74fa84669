/** Matches the reported names of a test, given its title as written in its file. */
export function titlePattern(title: string): RegExp {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll(/…|%[sjipdfo#]/g, "[\\s\\S]*")}$`);
}

export type RanTest = { readonly file: string; readonly names: readonly string[]; readonly passed: boolean };

const CASE =
  /<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*?(\/>|>[\s\S]*?<\/testcase>)/g;

/** The tests in a JUnit report, each with its own name and those of the groups around it. */
export function readJunit(xml: string): readonly RanTest[] {
  return [...xml.matchAll(CASE)].map(([, name = "", group = "", file = "", rest = ""]) => ({
    file: plain(file),
    names: [plain(name), ...plain(group).split(" > "), plain(group)],
    passed: !/<(failure|error|skipped)/.test(rest),
  }));
}

function plain(text: string): string {
  return text
    .replaceAll(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, code: string) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
