import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // Relative URLs, so that the page can be served from any folder.
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // Most of it is three.js, which is loaded with the episode page.
    chunkSizeWarningLimit: 900,
  },
});
