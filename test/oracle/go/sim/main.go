package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	log "github.com/sirupsen/logrus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argoproj/argo-rollouts/analysis"
	"github.com/argoproj/argo-rollouts/metric"
	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	"github.com/argoproj/argo-rollouts/utils/evaluate"
	timeutil "github.com/argoproj/argo-rollouts/utils/time"
)

type Step struct {
	V     []json.RawMessage `json:"v"`     // values of the vector
	Err   string            `json:"err"`   // provider error
	Phase string            `json:"phase"` // given phase (job-like)
	Delay int               `json:"delay"` // seconds in flight
	Msg   string            `json:"msg"`
}
type Case struct {
	ID        int                      `json:"id"`
	Spec      v1alpha1.AnalysisRunSpec `json:"spec"`
	Script    map[string][]Step        `json:"script"`
	Terminate float64                  `json:"terminate"` // seconds, 0 = never
	Max       int                      `json:"max"`
}
type Out struct {
	ID    int                   `json:"id"`
	Run   *v1alpha1.AnalysisRun `json:"run"`
	Stuck bool                  `json:"stuck,omitempty"`
	Panic string                `json:"panic,omitempty"`
}

type prov struct {
	mu  *sync.Mutex
	c   *Case
	pos map[string]int
}

func fl(raw json.RawMessage) float64 {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		switch s {
		case "NaN":
			return math.NaN()
		case "+Inf":
			return math.Inf(1)
		case "-Inf":
			return math.Inf(-1)
		}
	}
	var f float64
	if err := json.Unmarshal(raw, &f); err != nil {
		panic(err)
	}
	return f
}

func (p *prov) next(name string) Step {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.c.Script[name]
	if len(s) == 0 {
		return Step{V: []json.RawMessage{json.RawMessage("1")}}
	}
	i := p.pos[name]
	p.pos[name] = i + 1
	return s[i%len(s)]
}
func (p *prov) finish(m v1alpha1.Metric, s Step, x v1alpha1.Measurement) v1alpha1.Measurement {
	now := timeutil.MetaNow()
	x.FinishedAt = &now
	x.ResumeAt = nil
	if s.Err != "" {
		x.Phase = v1alpha1.AnalysisPhaseError
		x.Message = s.Err
		return x
	}
	if s.Phase != "" {
		x.Phase = v1alpha1.AnalysisPhase(s.Phase)
		x.Message = s.Msg
		return x
	}
	vals := []float64{}
	strs := []string{}
	for _, r := range s.V {
		f := fl(r)
		vals = append(vals, f)
		strs = append(strs, strconv.FormatFloat(f, 'f', -1, 64))
	}
	ph, err := evaluate.EvaluateResult(vals, m, *log.NewEntry(log.StandardLogger()))
	if err != nil {
		x.Phase = v1alpha1.AnalysisPhaseError
		x.Message = err.Error()
		return x
	}
	x.Value = "[" + strings.Join(strs, ",") + "]"
	x.Phase = ph
	return x
}
func (p *prov) Run(r *v1alpha1.AnalysisRun, m v1alpha1.Metric) v1alpha1.Measurement {
	s := p.next(m.Name)
	now := timeutil.MetaNow()
	x := v1alpha1.Measurement{StartedAt: &now}
	if s.Delay > 0 {
		x.Phase = v1alpha1.AnalysisPhaseRunning
		t := metav1.NewTime(now.Add(time.Duration(s.Delay) * time.Second))
		x.ResumeAt = &t
		b, _ := json.Marshal(s)
		x.Metadata = map[string]string{"step": string(b)}
		return x
	}
	return p.finish(m, s, x)
}
func (p *prov) Resume(r *v1alpha1.AnalysisRun, m v1alpha1.Metric, x v1alpha1.Measurement) v1alpha1.Measurement {
	var s Step
	json.Unmarshal([]byte(x.Metadata["step"]), &s)
	x.Metadata = nil
	return p.finish(m, s, x)
}
func (p *prov) Terminate(r *v1alpha1.AnalysisRun, m v1alpha1.Metric, x v1alpha1.Measurement) v1alpha1.Measurement {
	now := timeutil.MetaNow()
	x.FinishedAt = &now
	x.ResumeAt = nil
	x.Metadata = nil
	x.Phase = v1alpha1.AnalysisPhase(os.Getenv("TERMPHASE"))
	if x.Phase == "" {
		x.Phase = v1alpha1.AnalysisPhaseSuccessful
	}
	return x
}
func (p *prov) GarbageCollect(r *v1alpha1.AnalysisRun, m v1alpha1.Metric, n int) error { return nil }
func (p *prov) Type() string                                                           { return "mock" }
func (p *prov) GetMetadata(m v1alpha1.Metric) map[string]string                        { return nil }

func main() {
	log.SetOutput(io.Discard)
	log.SetLevel(log.PanicLevel)
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<26)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for sc.Scan() {
		var c Case
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			panic(fmt.Sprint(err, sc.Text()))
		}
		o := Out{ID: c.ID}
		func() {
			defer func() {
				if r := recover(); r != nil {
					o.Panic = fmt.Sprint(r)
				}
			}()
			t0 := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
			now := t0
			timeutil.SetNowTimeFunc(func() time.Time { return now })
			p := &prov{mu: &sync.Mutex{}, c: &c, pos: map[string]int{}}
			ctl := analysis.NewInMemory(func(m v1alpha1.Metric) (metric.Provider, error) { return p, nil })
			run := &v1alpha1.AnalysisRun{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("fuzz-%d", c.ID), Namespace: "payments"}, Spec: c.Spec}
			max := c.Max
			if max == 0 {
				max = 60
			}
			prev := ""
			for i := 0; i < max; i++ {
				if c.Terminate > 0 && now.Sub(t0).Seconds() >= c.Terminate {
					run.Spec.Terminate = true
				}
				run = ctl.Reconcile(run)
				b, _ := json.Marshal(run.Status)
				if string(b) != prev {
					prev = string(b)
				} else if run.Status.Phase.Completed() {
					break
				}
				if run.Status.Phase.Completed() {
					break
				}
				// a status update re-queues at once; then the planned time
				again := ctl.Reconcile(run)
				b, _ = json.Marshal(again.Status)
				if string(b) != prev {
					run = again
					prev = string(b)
					if run.Status.Phase.Completed() {
						break
					}
				}
				nx := analysis.NextReconcile(run)
				tgt := now.Add(time.Hour)
				if nx == nil && c.Terminate == 0 {
					o.Stuck = true
					break
				}
				if nx != nil {
					tgt = nx.Add(time.Second)
				}
				if c.Terminate > 0 && !run.Spec.Terminate {
					tt := t0.Add(time.Duration(c.Terminate * float64(time.Second)))
					if tt.Before(tgt) && tt.After(now) {
						tgt = tt
					}
				}
				if !tgt.After(now) {
					tgt = now.Add(time.Second)
				}
				now = tgt
			}
			o.Run = run
		}()
		b, err := json.Marshal(o)
		if err != nil {
			panic(err)
		}
		w.Write(b)
		w.WriteByte('\n')
	}
}
