import { defineConfig } from "vite";

export default defineConfig({
  // React's name for the mode that Preact and its signals look at.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    outDir: process.env.TB_NANWATCH_STATIC ?? "../tb_nanwatch/plugin/static",
    emptyOutDir: true,
    lib: { entry: "src/index.tsx", formats: ["es"], fileName: () => "index.js" },
    minify: true,
  },
  test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"] },
});
