export type Shown = {
  readonly section: string;
  readonly name: string;
  readonly file: string;
  readonly mediaType: string;
  readonly note: string;
};

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1400px; padding: 0 1rem; background: #f7f5f0; color: #23263a; }
  section { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 1.25rem; align-items: end; }
  figure { margin: 0; }
  img, video { width: 100%; border-radius: 8px; display: block; }
  audio { width: 100%; }
  figcaption { padding: .4rem 0; }
  small { color: #6b6f85; display: block; }
`;

/** Works when opened from the folder, without a server or scripts. */
export function galleryPage(shown: readonly Shown[]): string {
  const sections = [...new Set(shown.map(({ section }) => section))];
  const body = sections.map((section) => {
    const figures = shown.filter((one) => one.section === section).map(figureOf);
    return `<h2>${escaped(section)}</h2>\n<section>\n${figures.join("\n")}\n</section>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bursar's gallery</title>
<style>${STYLE}</style>
<h1>Bursar's gallery</h1>
<p>Pictures, videos and sound were made offline by the sandbox, without a model; the pages are the console's.</p>
${body.join("\n")}
</html>
`;
}

function figureOf({ name, file, mediaType, note }: Shown): string {
  const source = escaped(file);
  const medium = mediaType.startsWith("image/")
    ? `<a href="${source}"><img src="${source}" alt="${escaped(name)}" loading="lazy"></a>`
    : mediaType.startsWith("video/")
      ? `<video src="${source}" controls preload="metadata"></video>`
      : `<audio src="${source}" controls preload="none"></audio>`;
  return `<figure>${medium}<figcaption>${escaped(name)}<small>${escaped(note)}</small></figcaption></figure>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
