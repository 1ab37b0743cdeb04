package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

const zigVersion = "0.17.1"

// wheelSums are the SHA-256 of the compiler's packages, by system. What it makes is the
// same on all of them.
var wheelSums = map[string]string{
	"linux/amd64": "ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54",
}

// compiler returns the path of zig, unpacked in the cache from a package that lies there
// or that pip downloads.
func compiler(cache string) (string, error) {
	dir := filepath.Join(cache, "zig-"+zigVersion)
	zig := filepath.Join(dir, "ziglang", "zig")
	if runtime.GOOS == "windows" {
		zig += ".exe"
	}
	if _, err := os.Stat(zig); err == nil {
		return zig, nil
	}
	wheels, _ := filepath.Glob(filepath.Join(cache, "ziglang-"+zigVersion+"-*.whl"))
	if len(wheels) == 0 {
		cmd := exec.Command("python3", "-m", "pip", "download", "-q", "--no-deps", "-d", cache, "ziglang=="+zigVersion)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("pip download ziglang: %w", err)
		}
		wheels, _ = filepath.Glob(filepath.Join(cache, "ziglang-"+zigVersion+"-*.whl"))
	}
	if len(wheels) != 1 {
		return "", fmt.Errorf("%d packages of ziglang in %s", len(wheels), cache)
	}
	if want := wheelSums[runtime.GOOS+"/"+runtime.GOARCH]; want != "" {
		if got, err := fileSum(wheels[0]); err != nil || got != want {
			return "", fmt.Errorf("%s: checksum %s where %s is wanted (%v)", wheels[0], got, want, err)
		}
	}
	// into another folder first, so that one that is there is whole
	if err := unzip(wheels[0], dir+".part"); err != nil {
		return "", err
	}
	if err := os.Chmod(filepath.Join(dir+".part", "ziglang", filepath.Base(zig)), 0o755); err != nil {
		return "", err
	}
	return zig, os.Rename(dir+".part", dir)
}

func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

func unzip(path, dir string) error {
	r, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.CopyFS(dir, r)
}
