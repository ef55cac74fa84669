/** For tests of the gateway that need real files: two copies of the library in one process do not know each other's images. */
export { createCanvas } from "@napi-rs/canvas";
