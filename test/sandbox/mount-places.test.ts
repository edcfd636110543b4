import { expect, test } from "vitest";
import { mountPlaces, otherNames } from "../../src/sandbox/mount-places.ts";

test("a path comes from the mount that is nearest above it, also where its folder is a mount of its own", () => {
  const place = mountPlaces(
    [
      "22 1 254:0 / / rw - ext4 /dev/vda rw",
      "30 22 0:40 /home/ada /home/ada rw - btrfs /dev/vdb rw",
      "31 30 254:9 /volumes/venv /home/ada/project/.venv rw - ext4 /dev/vdc rw",
      "32 30 254:9 / /home/ada/with\\040space rw - ext4 /dev/vdc rw",
      "",
    ].join("\n"),
  );
  expect(
    ["/etc/x", "/home/ada/project/.git", "/home/ada/project/.venv/bin", "/home/ada/with space/x"].map(place),
  ).toEqual(["254:0 /etc/x", "0:40 /home/ada/project/.git", "254:9 /volumes/venv/bin", "254:9 /x"]);
});

test("files have another name in every second mount of a folder around them, or of one in them", () => {
  const others = otherNames(
    [
      "22 1 254:0 / / rw - ext4 /dev/vda rw",
      "30 22 254:9 /@home /home rw - btrfs /dev/vdb rw",
      "31 22 254:9 / /mnt/all\\040of\\040it rw - btrfs /dev/vdb rw",
      "32 22 254:9 /@home/ada/.ssh/keys /keys rw - btrfs /dev/vdb rw",
      "33 22 254:9 /@other /other rw - btrfs /dev/vdb rw",
      "34 22 254:0 /srv /srv/again rw - ext4 /dev/vda rw",
    ].join("\n"),
  );
  expect(others("/home/ada/.ssh")).toEqual(["/mnt/all of it/@home/ada/.ssh", "/keys"]);
  expect([others("/srv/secret"), others("/etc/shadow")]).toEqual([["/srv/again/secret"], []]);
});
