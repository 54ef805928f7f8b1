// textual.js looks, once the page is loaded, for where its WebSocket is and how large to write. Both
// are said here rather than by the server, which behind a proxy doesn't know its own address.
document.addEventListener("DOMContentLoaded", () => {
  const terminal = document.getElementById("terminal");
  terminal.dataset.sessionWebsocketUrl = location.origin.replace(/^http/, "ws") + "/ws";
  const size = parseInt(new URLSearchParams(location.search).get("fontsize") ?? "16", 10);
  terminal.dataset.fontSize = Math.min(Math.max(size || 16, 6), 72);
  document.getElementById("again").addEventListener("click", () => location.reload());

  // Keys are meant for the app, without a click before them, from the moment that it is there.
  const started = new MutationObserver(() => {
    if (document.body.classList.contains("-first-byte")) {
      started.disconnect();
      document.querySelector(".xterm-helper-textarea").focus();
    }
  });
  started.observe(document.body, { attributeFilter: ["class"] });
});
