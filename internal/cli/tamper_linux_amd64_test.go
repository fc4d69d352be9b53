package cli_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	bolt "go.etcd.io/bbolt"
)

var writes = flag.Int("writes", 4, "at how many of its writes TestFaultAtEveryWrite has a run fail; 0: at each")

// tamper runs a program and has one of its system calls that change files, or of those
// that read them, fail, or kills it there. Unlike strace it counts the calls of all
// threads together, so that every one can be met.
type tamper struct {
	dir   string        // files below it count
	reads bool          // calls that read the ledger and the work folder, not those that change
	at    int           // which call, from 1; 0: none
	on    string        // not at, but the first call that holds this
	errno syscall.Errno // 0: the program is killed, or reads nothing

	n       int            // calls so far
	call    string         // the one that was met
	entered map[int]bool   // threads within a call
	failing map[int]uint64 // those whose call fails, and its result
}

const traceOptions = syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | 0x100000 // PTRACE_O_EXITKILL

// run returns the exit code of the program; -1 when it was killed. It skips the test
// where processes may not be traced.
func (x *tamper) run(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	runtime.LockOSThread() // a process is traced by one thread
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		t.Skipf("SKIPPED: processes can't be traced here: %v", err)
	}
	x.entered, x.failing = map[int]bool{}, map[int]uint64{}
	var status syscall.WaitStatus
	_, err := syscall.Wait4(cmd.Process.Pid, &status, 0, nil)
	if err == nil {
		err = syscall.PtraceSetOptions(cmd.Process.Pid, traceOptions)
	}
	if err == nil {
		err = syscall.PtraceSyscall(cmd.Process.Pid, 0)
	}
	for err == nil {
		var thread int
		if thread, err = syscall.Wait4(-1, &status, syscall.WALL|syscall.WNOTHREAD, nil); errors.Is(err, syscall.EINTR) {
			err = nil
			continue
		}
		switch {
		case err != nil:
		case thread == cmd.Process.Pid && status.Exited():
			return status.ExitStatus()
		case thread == cmd.Process.Pid && status.Signaled():
			return -1
		case status.Stopped():
			err = x.stopped(cmd.Process.Pid, thread, status)
		}
	}
	_ = cmd.Process.Kill()
	t.Fatalf("trace the program: %v", err)
	return 0
}

// stopped lets a thread go on. One that is gone meanwhile is no error.
func (x *tamper) stopped(pid, thread int, status syscall.WaitStatus) error {
	signal := status.StopSignal()
	switch {
	case signal == syscall.SIGTRAP|0x80:
		signal = 0
		x.entered[thread] = !x.entered[thread]
		if err := x.look(pid, thread); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	case signal == syscall.SIGTRAP, signal == syscall.SIGSTOP: // a new thread, or news of one
		signal = 0
	}
	if err := syscall.PtraceSyscall(thread, int(signal)); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// look counts a call that begins, and gives one that ends the result it is to have.
func (x *tamper) look(pid, thread int) error {
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(thread, &regs); err != nil {
		return err
	}
	if !x.entered[thread] {
		result, failed := x.failing[thread]
		if !failed {
			return nil
		}
		delete(x.failing, thread)
		regs.Rax = result
		return syscall.PtraceSetRegs(thread, &regs)
	}
	path, below := changed(pid, thread, &regs), x.dir+"/"
	if x.reads {
		path, below = read(pid, &regs), below+"village.db"
	}
	if !strings.HasPrefix(path, below) {
		return nil
	}
	x.n++
	call := named[regs.Orig_rax] + " " + strings.TrimPrefix(path, x.dir)
	if x.call != "" || x.n != x.at && (x.on == "" || !strings.Contains(call, x.on)) {
		return nil
	}
	x.call = call
	if x.errno == 0 && !x.reads {
		return syscall.Kill(pid, syscall.SIGKILL)
	}
	x.failing[thread] = -uint64(x.errno)
	regs.Orig_rax = ^uint64(0) // no call at all
	return syscall.PtraceSetRegs(thread, &regs)
}

// named are the system calls that change files or read them, by number.
var named = map[uint64]string{
	syscall.SYS_READ: "read", syscall.SYS_PREAD64: "pread64",
	syscall.SYS_WRITE: "write", syscall.SYS_PWRITE64: "pwrite64", syscall.SYS_FSYNC: "fsync", syscall.SYS_FDATASYNC: "fdatasync", syscall.SYS_FTRUNCATE: "ftruncate",
	syscall.SYS_OPENAT: "openat", syscall.SYS_RENAMEAT: "renameat", renameat2: "renameat2", syscall.SYS_UNLINKAT: "unlinkat", syscall.SYS_MKDIRAT: "mkdirat",
}

const renameat2 = 316

// read returns the path of the file that a call is about to read, empty for any other call.
func read(pid int, regs *syscall.PtraceRegs) (path string) {
	if regs.Orig_rax == syscall.SYS_READ || regs.Orig_rax == syscall.SYS_PREAD64 {
		path, _ = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, regs.Rdi))
	}
	return path
}

// changed returns the path of the file that a call is about to change, empty for any
// other call.
func changed(pid, thread int, regs *syscall.PtraceRegs) string {
	switch regs.Orig_rax {
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_FTRUNCATE:
		path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, regs.Rdi))
		return path
	case syscall.SYS_OPENAT:
		if regs.Rdx&(syscall.O_CREAT|syscall.O_TRUNC) == 0 {
			return ""
		}
	case syscall.SYS_RENAMEAT, renameat2, syscall.SYS_UNLINKAT, syscall.SYS_MKDIRAT:
	default:
		return ""
	}
	name := make([]byte, 512)
	n, _ := syscall.PtracePeekData(thread, uintptr(regs.Rsi), name)
	name, _, _ = bytes.Cut(name[:n], []byte{0})
	return string(name)
}

// A file of ours that fails at any of its writes, or a program killed there: exit code
// 0 only when all was done, the ledger stays sound, and a clean run ends with exactly
// the site.
func TestFaultAtEveryWrite(t *testing.T) {
	v := newVillage(t)
	v.restore(t)
	all := &tamper{dir: v.dir}
	if code := v.tampered(t, all); code != 0 {
		t.Fatalf("a run that is only watched: exit code %d\n%s", code, v.read(t, "../out.txt"))
	}
	v.compare(t, "village.db", "only watched")
	t.Logf("%d calls change files", all.n)
	points := *writes
	if points == 0 || points > all.n {
		points = all.n
	}
	if testing.Short() {
		points = min(points, 3)
	}
	codes := map[int]int{}
	for i := range points {
		for _, errno := range []syscall.Errno{0, syscall.EIO, syscall.ENOSPC} {
			v.restore(t)
			x := &tamper{dir: v.dir, at: 1 + i*all.n/points, errno: errno}
			code := v.tampered(t, x)
			what := fmt.Sprintf("%s, the %dth, %s (errno %d)", x.call, x.at, errno, int(errno))
			out := v.read(t, "../out.txt")
			codes[code]++
			if code == 0 {
				v.compare(t, "village.db", what+", exit code 0")
			}
			if code == 0 && !strings.HasPrefix(x.call, "unlinkat ") && !strings.Contains(x.call, "/robots-") { // left over, or a copy that nobody needs
				t.Errorf("%s: exit code 0\n%s", what, out)
			}
			if !slices.Contains([]int{-1, 0, 1}, code) {
				t.Errorf("%s: exit code %d\n%s", what, code, out)
			}
			checkLedger(t, v.dir+"/village.db", what)
			if code, out := v.sync(t); code != 0 {
				t.Fatalf("%s, then a clean run: exit code %d\n%s", what, code, out)
			}
			v.compare(t, "village.db", what)
		}
	}
	t.Logf("exit codes: %v", codes)
}

// tampered has one run in a process of its own.
func (v *village) tampered(t *testing.T, x *tamper) int {
	t.Helper()
	out, err := os.Create(filepath.Join(v.dir, "..", "out.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(program(t), "sync", "-c", v.config)
	cmd.Dir, cmd.Stdout, cmd.Stderr = v.dir, out, out
	cmd.Env = []string{"SITESYNC_API_KEY=" + apiKey, "GOMAXPROCS=1"}
	return x.run(t, cmd)
}

// checkLedger has bbolt look at every page of a ledger.
func checkLedger(t *testing.T, path, what string) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: patience})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer db.Close()
	_ = db.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("%s: the ledger is damaged: %v", what, err)
		}
		return nil
	})
}
