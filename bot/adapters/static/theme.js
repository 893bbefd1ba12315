// Before anything is drawn: the look that was chosen on this device.
(() => {
  try {
    const look = localStorage.getItem("renju-look");
    if (look === "wood" || look === "dark") document.documentElement.dataset.look = look;
  } catch {
    // Storage is switched off: the look follows the device.
  }
})();
