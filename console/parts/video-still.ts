/** Stills by video URL, as data URIs; null if this browser provides none. */
const kept = new Map<string, Promise<string | null>>();
const MOST_KEPT = 200;

const WIDTH = 640;
const LOOK_EVERY_MS = 50;
const MOST_WAIT_MS = 20_000;

/** Once per video and page. Loading stops at the first frame, so that the whole video is not fetched for it. */
export function videoStill(url: string): Promise<string | null> {
  const known = kept.get(url);
  if (known) return known;
  const found = take(url);
  kept.set(url, found);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return found;
}

function take(url: string): Promise<string | null> {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.preload = "auto";
  // The first frame: some browsers provide no other before the video was played.
  video.src = url;
  return new Promise<string | null>((resolve) => {
    const end = (still: string | null) => {
      clearInterval(looks);
      clearTimeout(givingUp);
      video.removeAttribute("src");
      video.load();
      resolve(still);
    };
    // No event that all browsers send says that a frame can be drawn.
    const looks = setInterval(() => {
      const still = drawn(video);
      if (still !== null) end(still);
    }, LOOK_EVERY_MS);
    const givingUp = setTimeout(() => end(null), MOST_WAIT_MS);
    video.onerror = () => end(null);
    // Phones that load nothing before a touch stop here; a player in the page shows them a still.
    video.onsuspend = () => {
      if (video.readyState === HTMLMediaElement.HAVE_METADATA && video.buffered.length === 0) end(null);
    };
  });
}

function drawn(video: HTMLVideoElement): string | null {
  const { videoWidth, videoHeight } = video;
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || videoWidth === 0) return null;
  const canvas = document.createElement("canvas");
  canvas.width = Math.min(WIDTH, videoWidth);
  canvas.height = Math.round((canvas.width * videoHeight) / videoWidth);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  const [, , , opacity = 0] = context.getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data;
  return opacity === 0 ? null : canvas.toDataURL("image/jpeg", 0.8);
}
