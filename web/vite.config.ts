import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // The page is served from a folder, or hosted in one: addresses are relative.
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // three.js is most of it, and is loaded when an episode is looked at.
    chunkSizeWarningLimit: 900,
  },
});
